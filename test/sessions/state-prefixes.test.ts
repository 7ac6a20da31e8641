import {State} from '@google/adk';
import {expect, it} from 'vitest';
import {STATE_PREFIXES} from '../../src/store/sqlite/state-rows.ts';

it('the prefixes of stored state are those of ADK', () => {
  expect(STATE_PREFIXES).toEqual({app: State.APP_PREFIX, user: State.USER_PREFIX, session: ''});
});
