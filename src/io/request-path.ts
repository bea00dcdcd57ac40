/**
 * The endpoint's own path with the request's behind it, and both their queries; the endpoint's come first. A `path` is
 * empty, or starts with a slash and may carry a query.
 */
export function requestPath(endpoint: URL, path: string): string {
  if (path === '') return endpoint.pathname + endpoint.search;
  const mark = path.indexOf('?');
  const own = mark < 0 ? path : path.slice(0, mark);
  const query = [endpoint.search.slice(1), mark < 0 ? '' : path.slice(mark + 1)]
    .filter(part => part !== '')
    .join('&');
  return endpoint.pathname.replace(/\/+$/, '') + own + (query === '' ? '' : `?${query}`);
}
