import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const types: Record<string, string> = { js: 'text/javascript', css: 'text/css' }

/** A built page on a free port: its files, and index.html for every other address. */
export async function serveFolder(folder: string): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const wanted = join(folder, new URL(request.url ?? '/', 'http://base').pathname)
    const file =
      existsSync(wanted) && statSync(wanted).isFile() ? wanted : join(folder, 'index.html')
    const ending = file.slice(file.lastIndexOf('.') + 1)
    response.setHeader('content-type', types[ending] ?? 'text/html')
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
