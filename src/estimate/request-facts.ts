/** What was worked out from the contents of one request, by who worked it out. It lives as long as the request is remembered. */
export type RequestFacts = Map<object, unknown>;

/** The earlier request that one was compared with, and how many contents both begin with. */
export interface ComparedWith<Measured> {
  readonly measured: readonly Measured[];
  readonly shared: number;
  readonly facts: RequestFacts;
}

interface Request {
  readonly facts: RequestFacts;
  readonly base: ComparedWith<unknown> | undefined;
}

/** One kind of thing that is worked out from the contents of a request. */
export class RequestFact<Value extends object> {
  of({facts}: Request): Value | undefined {
    return facts.get(this) as Value | undefined;
  }

  /** That of the earlier request, some of whose contents this one begins with. */
  ofBase({base}: Request): Value | undefined {
    return base?.facts.get(this) as Value | undefined;
  }

  /** That of the earlier request, when this one begins with all of its contents. */
  ofStart(request: Request): Value | undefined {
    const {base} = request;
    return base && base.shared === base.measured.length ? this.ofBase(request) : undefined;
  }

  keep({facts}: Request, value: Value): void {
    facts.set(this, value);
  }
}
