type Attributes = Readonly<Record<string, string | number>>

/** Runs work as a span of a trace. */
export type Span = <Result>(name: string, attributes: Attributes, work: () => Result) => Result

/** Runs the work, as a span if `span` is defined. */
export const inSpan = <Result>(
  span: Span | undefined,
  name: string,
  attributes: Attributes,
  work: () => Result,
): Result => (span === undefined ? work() : span(name, attributes, work))

/** Makes traces of this process. Present only if traces are sent to a collector. */
export type Tracer = Readonly<{
  /** Ends the span when the work, or the promise that it returns, ends. Spans that begin meanwhile are its children. */
  span: Span
  /** The same for a request that came with headers: a `traceparent` makes it part of the caller's trace. */
  serverSpan: <Result>(
    request: Readonly<{ name: string; attributes: Attributes; headers: object }>,
    work: (setStatus: (httpStatus: number) => void) => Result,
  ) => Result
  /** A function that runs as a child of the current span, whenever it is called. */
  bind: <Call extends (...args: never[]) => unknown>(call: Call) => Call
  /** Sends the remaining spans, with a time limit of 2 s. Never throws. */
  stop: () => Promise<void>
}>
