import type {Content} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {contentSize, measureRequest} from '../../src/estimate/measure.ts';
import {subtractSizes} from '../../src/estimate/size.ts';
import {jsonByteLength} from '../../src/json/byte-length.ts';
import {answerFacts} from '../../src/plan/answers.ts';
import {elidePart} from '../../src/plan/elide-part.ts';
import {anyValue, plainJson} from '../json/arbitraries.ts';
import {requestOf} from '../support/manager-harness.ts';

describe('what eliding an answer would save', () => {
  const value = fc.oneof(plainJson(), anyValue());
  const optional = fc.record({id: fc.string(), name: fc.string(), response: value, parts: value}, {requiredKeys: []});
  const part = fc.oneof(
    fc.record({functionResponse: optional}),
    fc.record({functionResponse: optional, thoughtSignature: fc.base64String()}),
    fc.record({toolResponse: optional}),
    fc.record({text: fc.string()}),
  );
  const content = fc.record({role: fc.constant('user'), parts: fc.array(part, {maxLength: 3})});

  it('is the difference that is measured once it is elided, and its body is measured as on its own', () => {
    fc.assert(
      fc.property(content, (value) => {
        const contents = [value as Content];
        const {measured} = measureRequest(requestOf(contents), contents);
        for (const facts of measured[0] ? answerFacts(measured[0], contents[0] as Content) : []) {
          const parts = (contents[0]?.parts ?? []).slice();
          const answer = parts[facts.part]?.functionResponse ?? parts[facts.part]?.toolResponse;
          const media = parts[facts.part]?.functionResponse?.parts;
          const body = {response: answer?.response, ...(media ? {parts: media} : {})};
          expect(facts.body.weight.canonicalBytes).toBe(jsonByteLength(body));
          parts[facts.part] = elidePart(parts[facts.part] ?? {});
          const elided = contentSize({...contents[0], parts});
          expect(facts.saved).toEqual(subtractSizes(contentSize(contents[0] as Content), elided));
        }
      }),
      {numRuns: 2_000},
    );
  });
});
