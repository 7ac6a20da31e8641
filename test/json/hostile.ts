const fail = (): never => {
  throw new Error('hostile');
};

/** Values that throw when read, refer to themselves or nest without end; made anew for every use. */
export const HOSTILE: readonly (readonly [name: string, make: () => unknown])[] = [
  ['a getter that throws', () => Object.defineProperty({a: 1}, 'bad', {enumerable: true, get: fail})],
  ['a toJSON that throws', () => ({toJSON: fail})],
  ['a proxy without keys', () => new Proxy({}, {ownKeys: fail})],
  ['a proxy without members', () => new Proxy({a: 1}, {get: fail})],
  ['a list without members', () => new Proxy([1, 2], {get: fail})],
  ['a proxy without prototype', () => new Proxy({}, {getPrototypeOf: fail})],
  ['a revoked proxy', revoked],
  ['a cycle', cycle],
  ['a toJSON that gives a cycle', () => toJsonCycle()],
  ['a deep list', () => nested(5_000, (inner) => [inner])],
  ['a deep object', () => nested(100_000, (inner) => ({inner}))],
];

function revoked(): unknown {
  const {proxy, revoke} = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cycle(): unknown {
  const value: {self?: unknown; list?: unknown} = {};
  value.self = value;
  value.list = [value];
  return value;
}

function toJsonCycle(): unknown {
  const inner: {outer?: unknown} = {};
  const outer = {toJSON: () => inner};
  inner.outer = outer;
  return outer;
}

/** A value inside `depth` others. */
export function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) {
    value = wrap(value);
  }
  return value;
}
