import type {Content} from '@google/genai';
import {Incremental} from '../estimate/incremental.ts';
import type {MeasuredRequest} from '../estimate/measure.ts';
import {jsonByteLength} from '../json/byte-length.ts';
import {canonicalJson} from '../json/canonical-json.ts';
import {matchesSnapshot, type Snapshot, takeSnapshot} from '../json/snapshot.ts';

/** Where a message stands in the requests of its invocation, as long as the message is what it was. */
interface Sought {
  readonly snapshot: Snapshot | undefined;
  readonly index: Incremental<number>;
}

const soughtMessages = new WeakMap<Content, Sought>();

/** Index of the last content that equals the invocation's user message; -1 when none does. ADK hands on copies. */
export function userMessageIndex(request: MeasuredRequest, message: Content | undefined): number {
  if (!message) {
    return -1;
  }
  const known = soughtMessages.get(message);
  if (known?.snapshot && matchesSnapshot(known.snapshot, message)) {
    return known.index.of(request);
  }
  const sought = seek(message);
  soughtMessages.set(message, sought);
  return sought.index.of(request);
}

/** Contents of another length are told apart without being written out. */
function seek(message: Content): Sought {
  const bytes = jsonByteLength(message);
  return {
    snapshot: takeSnapshot(message),
    index: new Incremental(({contents, measured}, start, earlier = -1) => {
      for (let index = contents.length - 1; index >= start; index -= 1) {
        const content = contents[index];
        if (
          content?.role === 'user' &&
          measured[index]?.canonicalBytes === bytes &&
          canonicalJson(content) === canonicalJson(message)
        ) {
          return index;
        }
      }
      return earlier;
    }),
  };
}
