import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

/** Files by their paths in the repository. */
export type Commit = Record<string, string>

async function archiveOf(files: Commit, top: string): Promise<Buffer> {
  const tar = pack()
  for (const [path, text] of Object.entries(files)) tar.entry({ name: `${top}/${path}` }, text)
  tar.finalize()
  const parts: Buffer[] = []
  for await (const part of tar) parts.push(part as Buffer)
  return gzipSync(Buffer.concat(parts))
}

/** A git host: it keeps commits, gives them out as archives to whoever shows the token, and signs what it says. */
export async function startGitHost(token: string) {
  const commits = new Map<string, Commit>()
  /** What was shown for each archive that was asked for. */
  const asked: (string | undefined)[] = []
  const server = createServer(({ url = '', headers }, response) => {
    const [, hash = ''] = /^\/books\/archive\/([0-9a-f]+)\.tar\.gz$/.exec(url) ?? []
    const files = commits.get(hash)
    asked.push(headers.authorization)
    if (headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
    if (!files) return void response.writeHead(404).end()
    archiveOf(files, `books-${hash.slice(0, 7)}`).then(
      (archive) => response.end(archive),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let last = 0
  return {
    asked,
    archiveUrl: `http://127.0.0.1:${port}/books/archive/{commit}.tar.gz`,
    /** Its hash. */
    commit(files: Commit): string {
      const hash = (++last).toString(16).padStart(40, 'a')
      commits.set(hash, files)
      return hash
    },
    /** What the host says of a push, and how it signs it. */
    push(secret: string, branch: string, commit: string) {
      const body = JSON.stringify({ ref: `refs/heads/${branch}`, after: commit })
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      return { body, headers: { 'x-hub-signature-256': `sha256=${signature}` } }
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type GitHost = Awaited<ReturnType<typeof startGitHost>>
