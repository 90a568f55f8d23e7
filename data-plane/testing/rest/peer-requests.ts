/** One request to both servers; `as: 'user'` shows a token. */
export type PeerRequest = {
  request: string
  as?: 'user'
  body?: unknown
  headers?: Record<string, string>
}

export const plain = (...requests: string[]): PeerRequest[] =>
  requests.map((request) => ({ request }))
export const prefer = (
  request: string,
  value: string,
  more: Partial<PeerRequest> = {},
): PeerRequest => ({
  request,
  ...more,
  headers: { prefer: value, ...more.headers },
})
export const write = (request: string, body: unknown, value?: string): PeerRequest => ({
  request,
  as: 'user',
  body,
  ...(value === undefined ? {} : { headers: { prefer: value } }),
})
