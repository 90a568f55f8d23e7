import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ProjectConnection } from '#contract/internal'
import { attacks, startHostileDatabase } from '#kit/testing/hostile-database'
import { httpTimes } from './parts/http-load.ts'
import { internalToken, serve, withServedProject } from './parts/served-project.ts'

/**
 * The slowest of a hundred reads of a project, while the database of the project beside it, served by the same program, answers with
 * rows without end, a value of 1 GB, and wrong, torn and missing messages: twice as long as without at most.
 */
const word = 'attack_now'
const ms = 6000
/** The machine is not equally quick all the time: each round measures with and without, and the middle one counts. */
const rounds = 3
const connections = 4
const setup = [
  'create table books (id int primary key, title text)',
  'insert into books select n, md5(n::text) from generate_series(1, 1000) n',
  'grant select on books to anon',
]

type Command = { at: { host: string; port: number } } | { attack: string }

/** A program of its own, so that what it sends costs the one that is measured nothing but its reading. */
async function beHostile(): Promise<void> {
  const all = { ...attacks.tooLarge, ...attacks.broken }
  let attack: (name: string) => void = () => undefined
  process.on('message', (command: Command) => {
    if ('attack' in command) return attack(command.attack)
    void startHostileDatabase(command.at, word).then(({ port, attackWith }) => {
      attack = (name) => attackWith(all[name])
      process.send?.({ port })
    })
  })
}

async function main(): Promise<void> {
  const hostile = fork(fileURLToPath(import.meta.url), ['hostile'])
  const ref = 'h'.repeat(20)
  const beside = async (connection: ProjectConnection): Promise<ProjectConnection[]> => {
    const { host, port } = connection.database
    hostile.send({ at: { host, port } })
    const [told] = (await once(hostile, 'message')) as [{ port: number }]
    const database = { ...connection.database, host: '127.0.0.1', port: told.port }
    return [{ ...connection, ref, database }]
  }
  try {
    await withServedProject(
      setup,
      async ({ connection, port }) => {
        const at = { host: '127.0.0.1', port }
        const read = () => {
          const id = 1 + Math.floor(Math.random() * 1000)
          return `GET /${connection.ref}/rest/v1/books?id=eq.${id} HTTP/1.1\r\nhost: x\r\napikey: ${connection.anonKey}\r\n\r\n`
        }
        const p99 = async () => {
          const took = await httpTimes(at, connections, ms, read)
          return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.NaN
        }
        await p99()
        const paths = {
          rest: () =>
            fetch(`http://127.0.0.1:${port}/${ref}/rest/v1/books?title=eq.${word}`, {
              headers: { apikey: connection.anonKey },
            }),
          query: () =>
            fetch(`http://127.0.0.1:${port}/internal/pg-meta/${ref}/query`, {
              method: 'POST',
              headers: {
                authorization: `Bearer ${internalToken}`,
                'x-plinth-login': 'postgres',
                'content-type': 'application/json',
              },
              body: JSON.stringify({ query: `select '${word}' as said` }),
            }),
        }
        const found: Record<string, number[]> = {}
        const alone: number[] = []
        for (let round = 0; round < rounds; round += 1)
          for (const [name, ask] of Object.entries(paths))
            for (const kind of ['tooLarge', 'broken'] as const) {
              const without = await p99()
              const under = { isOn: true }
              const asking = askOn(hostile, Object.keys(attacks[kind]), ask, under)
              ;(found[`${name} ${kind}`] ??= []).push((await p99()) / without)
              under.isOn = false
              await asking
              alone.push(without)
            }
        const ratios = Object.fromEntries(
          Object.entries(found).map(([name, all]) => [name, hundredths(median(all))]),
        )
        const worst = Math.max(...Object.values(ratios))
        const line = {
          name: 'hostile',
          worst,
          gate: 2,
          ratios,
          aloneP99Ms: hundredths(median(alone)),
        }
        process.stdout.write(`${JSON.stringify(line)}\n`)
        process.exitCode = worst <= line.gate ? 0 : 1
      },
      beside,
    )
  } finally {
    hostile.kill()
  }
}

const hundredths = (value: number) => Math.round(value * 100) / 100
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** One request after the other, each attacked in another way. */
async function askOn(
  hostile: ReturnType<typeof fork>,
  names: readonly string[],
  ask: () => Promise<Response>,
  under: { isOn: boolean },
): Promise<void> {
  for (let i = 0; under.isOn; i += 1) {
    hostile.send({ attack: names[i % names.length] })
    await (await ask()).arrayBuffer()
  }
}

const role = process.argv[2]
if (role === 'serve') serve()
else if (role === 'hostile') void beHostile()
else await main()
