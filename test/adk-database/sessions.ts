import type {Content, Part} from '@google/genai';

/** A session as it is given to ADK's `DatabaseSessionService`. */
export interface WrittenSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly events: readonly WrittenEvent[];
}

/** An event; its other members are those that `createEvent` of ADK fills in. */
interface WrittenEvent {
  readonly id: string;
  readonly author: string;
  readonly invocationId: string;
  readonly timestamp: number;
  readonly content: Content;
  readonly branch?: string;
  readonly partial?: boolean;
  readonly longRunningToolIds?: string[];
  readonly modelVersion?: string;
  readonly usageMetadata?: {readonly promptTokenCount: number; readonly cachedContentTokenCount?: number};
  readonly actions?: {readonly stateDelta: Record<string, unknown>};
}

export const APP = 'shop';
const START = Date.UTC(2026, 0, 31, 9, 7, 4, 250);

/** What the dump beside this file was written from: everything whose names or times a database might change. */
export const WRITTEN: readonly WrittenSession[] = [
  {
    userId: 'ann',
    sessionId: 'dress',
    state: {'app:season': 'spring', 'user:shoeSize': 39, cart: ['dress'], cart_total: {maxPrice: 50, min_price: 1}},
    events: [
      user('d1', 0, [{text: 'Find a dress, bitte: “grün”, 👗.'}]),
      model('d2', 1, [
        {text: 'They want a dress.', thought: true, thoughtSignature: 'c2lnbmF0dXJl'},
        {functionCall: {id: 'c1', name: 'find', args: {maxPrice: 50, color_name: 'green'}}},
        {functionCall: {id: 'c2', name: 'find', args: {}}},
      ]),
      // The same time as the call: their order is the one of storing.
      tool('d3', 1, [
        {functionResponse: {id: 'c1', name: 'find', response: {itemList: [{item_id: 1, unitPrice: 4.5}]}}},
        {functionResponse: {id: 'c2', name: 'find', response: {result: 'too much'}}},
      ]),
      {...model('d4', 1, [{text: 'Take'}]), partial: true},
      {
        ...model('d5', 2500, [{text: "Take item 1; it's 4.50."}]),
        branch: 'shop.finder',
        longRunningToolIds: ['c2'],
        actions: {
          stateDelta: {'app:season': 'summer', 'user:lastSeen': 'item_1', 'temp:note': 'gone', seen_items: [1]},
        },
      },
      user('d6', 9_000_000, [
        {inlineData: {mimeType: 'image/png', data: 'iVBORw0KGgo='}},
        {fileData: {mimeType: 'application/pdf', fileUri: 'gs://shop/size_table.pdf'}},
        {text: 'Like these?\n\u0000'},
      ]),
    ],
  },
  {userId: 'ann', sessionId: 'empty', state: {}, events: []},
  {userId: "o'bob", sessionId: 'dress', state: {}, events: [user('d1', 60_000, [{text: 'Hello.'}])]},
];

function user(id: string, after: number, parts: Part[]): WrittenEvent {
  return {...event(id, after), author: 'user', content: {role: 'user', parts}};
}

function tool(id: string, after: number, parts: Part[]): WrittenEvent {
  return {...event(id, after), author: 'finder', content: {role: 'user', parts}};
}

function model(id: string, after: number, parts: Part[]): WrittenEvent {
  return {
    ...event(id, after),
    author: 'finder',
    content: {role: 'model', parts},
    modelVersion: 'gemini-2.5-flash',
    usageMetadata: {promptTokenCount: 100 + after, cachedContentTokenCount: 64},
  };
}

function event(id: string, after: number): Pick<WrittenEvent, 'id' | 'invocationId' | 'timestamp'> {
  return {id, invocationId: 'i1', timestamp: START + after};
}
