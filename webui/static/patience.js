// A signal that ends a request after so many milliseconds (AbortSignal.timeout is younger than the browsers we support).
export function within(milliseconds) {
  const patience = new AbortController();
  setTimeout(() => patience.abort(), milliseconds);
  return patience.signal;
}
