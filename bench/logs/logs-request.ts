import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { benchLogs, logsFolder } from '../parts/bench-logs.ts'
import { compare } from '../parts/compare.ts'
import { httpLoad } from '../parts/http-load.ts'
import { serve, serveBeside, withServedProject } from '../parts/served-project.ts'

/**
 * What logs cost where requests wait: one row by its key, from a program that writes its logs against one that does not.
 * `cpuRatio` is of the processor time of the program and Postgres for each request.
 */
const [rows, connections, roundMs] = [10_000, 8, 4000]
const withoutLogs = 'without'

const setup = [
  'create table books (id int primary key, title text, pages int)',
  `insert into books select i, 'Title ' || i, i % 900 from generate_series(1, ${rows}) i`,
  'vacuum analyze books',
]

async function main(): Promise<void> {
  const folder = logsFolder()
  try {
    await withServedProject(setup, async (project) => {
      const { connection } = project
      const bare = await serveBeside(fileURLToPath(import.meta.url), withoutLogs, [connection])
      const head = ` HTTP/1.1\r\nHost: localhost\r\napikey: ${connection.serviceKey}\r\nAccept: */*\r\n\r\n`
      const path = `/${connection.ref}/rest/v1/books?select=id,title,pages&id=eq.`
      const load = () => `GET ${path}${1 + Math.floor(Math.random() * rows)}${head}`
      const ask = (port: number) =>
        httpLoad({ host: '127.0.0.1', port }, connections, roundMs, load)
      try {
        await compare('logs-request', {
          ours: () => project.measure('ours', () => ask(project.port)),
          baseline: () => project.measure(bare.child, () => ask(bare.port)),
          rounds: Number(process.env['ROUNDS'] ?? 7),
        })
      } finally {
        bare.child.kill()
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (process.argv[2] === 'serve')
  serve(process.argv[3] === withoutLogs ? {} : { logs: benchLogs(logsFolder()) })
else await main()
