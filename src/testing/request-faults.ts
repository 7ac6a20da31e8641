import type {Content, FunctionCall, FunctionResponse, Part} from '@google/genai';

/**
 * What the Gemini API would refuse in `contents`, each fault one sentence that names the index. Empty for a request it
 * accepts.
 *
 * The rules: there is at least one content and each has parts that hold something; roles are `user` and `model`; the
 * first content is a user content with text or media; each model content with function calls is followed at once by
 * its answers, as many, with the same names in the same order, in one content or in several in a row; no answer stands
 * without its call; an answer's `response` is an object. Neighbouring model contents count as one turn, because ADK
 * stores a streamed text and the call after it apart.
 */
export function requestFaults(contents: readonly Content[]): string[] {
  if (contents.length === 0) {
    return ['contents is empty.'];
  }
  return [...contents.flatMap(contentFaults), ...openingFaults(contents), ...pairFaults(contents)];
}

function contentFaults(content: Content, index: number): string[] {
  const faults: string[] = [];
  if (content.role !== 'user' && content.role !== 'model') {
    faults.push(`contents[${index}] has the role ${JSON.stringify(content.role)}, valid are "user" and "model".`);
  }
  if (!content.parts?.length) {
    faults.push(`contents[${index}] has no parts.`);
  }
  content.parts?.forEach((part, partIndex) => {
    const place = `contents[${index}].parts[${partIndex}]`;
    if (!holdsData(part)) {
      faults.push(`${place} holds no data.`);
    }
    if (part.functionCall && content.role !== 'model') {
      faults.push(`${place} is a function call outside a model content.`);
    }
    if (part.functionResponse && content.role === 'model') {
      faults.push(`${place} is a function response in a model content.`);
    }
    if (part.functionResponse && !isPlainObject(part.functionResponse.response)) {
      faults.push(`${place} is a function response whose response is not an object.`);
    }
  });
  return faults;
}

function openingFaults([first]: readonly Content[]): string[] {
  const opens = first?.role === 'user' && first.parts?.some((part) => part.text || part.inlineData || part.fileData);
  return opens ? [] : ['contents[0] is not a user content with text or media.'];
}

function pairFaults(contents: readonly Content[]): string[] {
  const faults: string[] = [];
  for (let index = 0; index < contents.length; ) {
    const callIndex = index++;
    const calls = functionCalls(contents[callIndex]);
    const answers: FunctionResponse[] = [...functionResponses(contents[callIndex])];
    const answerIndex = index;
    if (calls.length > 0) {
      while (answers.length < calls.length && functionResponses(contents[index]).length > 0) {
        answers.push(...functionResponses(contents[index++]));
      }
    }
    if (answers.length > 0 && calls.length === 0) {
      faults.push(`contents[${callIndex}] answers ${names(answers)}, which the content before it did not call.`);
    } else if (answers.length !== calls.length) {
      faults.push(
        `contents[${callIndex}] calls ${names(calls)} but ${answers.length} of ${calls.length} answers follow at contents[${answerIndex}].`,
      );
    } else if (calls.some((call, position) => !answersCall(answers[position], call))) {
      faults.push(
        `contents[${answerIndex}] answers ${names(answers)} where contents[${callIndex}] calls ${names(calls)}.`,
      );
    }
  }
  return faults;
}

function answersCall(answer: FunctionResponse | undefined, call: FunctionCall): boolean {
  const idsDiffer = answer?.id !== undefined && call.id !== undefined && answer.id !== call.id;
  return answer?.name === call.name && !idsDiffer;
}

function functionCalls(content: Content | undefined): FunctionCall[] {
  return (content?.parts ?? []).flatMap((part) => part.functionCall ?? []);
}

function functionResponses(content: Content | undefined): FunctionResponse[] {
  return (content?.parts ?? []).flatMap((part) => part.functionResponse ?? []);
}

function names(items: readonly {readonly name?: string}[]): string {
  return items.map((item) => item.name ?? '(no name)').join(', ');
}

/** Members of a part that say something about its data but are none themselves. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'mediaProcessing',
  'partMetadata',
  'speechMetadata',
]);

function holdsData(part: Part): boolean {
  return Object.entries(part).some(([name, value]) => value !== undefined && value !== null && !ATTRIBUTES.has(name));
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
