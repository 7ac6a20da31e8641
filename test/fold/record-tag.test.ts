import {expect, it, vi} from 'vitest';
import {recordText} from '../../src/fold/record-text.ts';

const uuids = vi.hoisted(() => ['aaaaaaaa-aaaa-aaaa-0000-000000000000', 'bbbbbbbb-bbbb-bbbb-0000-000000000000']);

vi.mock('node:crypto', async (load) => ({
  ...(await load<typeof import('node:crypto')>()),
  randomUUID: () => uuids.shift(),
}));

it('the tag of the fence is one that stands nowhere in the record', () => {
  const contents = [{role: 'user', parts: [{functionResponse: {name: 'web', response: {page: 'aaaaaaaaaaaaaaaa'}}}]}];
  const text = recordText({summary: [], contents}, {maxBodyChars: 100, excess: () => 0});
  expect(text).toContain('<record bbbbbbbbbbbbbbbb>');
});
