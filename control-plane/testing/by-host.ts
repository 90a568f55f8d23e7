import { request, type OutgoingHttpHeaders } from 'node:http'

export type Answer = { status: number; body: string; headers: NodeJS.Dict<string | string[]> }

/** Asks whoever listens at `origin` as a browser does to which a name leads there: by its Host header. */
export const byHost =
  (origin: string) =>
  (
    host: string,
    path: string,
    headers: OutgoingHttpHeaders = {},
    { method = 'GET', body }: { method?: string; body?: string } = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(origin)
      const asking = request(
        { hostname, port, path, method, headers: { host, ...headers } },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (part: string) => (text += part))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
          )
        },
      )
      asking.on('error', reject)
      asking.end(body)
    })
