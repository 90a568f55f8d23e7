import { Client, withClient } from '#kit/postgres/client'
import { structureSql } from '#data-plane/pg-meta/migrations/structure-sql'
import { createTestDatabase } from '#kit/testing/postgres'
import { createReport } from '../../import/report.ts'
import type { Run } from '../../import/parts.ts'
import { openSource, chosenSchemas } from '../../import/source-store.ts'
import { openState } from '../../import/state-store.ts'
import { openTarget } from '../../import/target-store.ts'

/** Postgres lists grants in the order in which they were made, and leaves out those that everything has. */
const sameGrants = (definition: string) =>
  definition
    .replaceAll(
      /granted \{(.*)\}/g,
      (_, list: string) => `granted ${list.split(',').toSorted().join(',')}`,
    )
    .replace(/\n*granted =X\/postgres,postgres=X\/postgres$/, '')
    .trimEnd()

/** Two databases as new projects have them; the statements are carried out in the first one, by its owner. */
export async function startTwoDatabases(statements: readonly string[]) {
  const [source, target] = [await createTestDatabase(), await createTestDatabase()]
  await withClient(source.configFor('postgres'), async (client) => {
    for (const statement of statements) await client.query(statement)
  })
  const sideOf = (side: 'source' | 'target') => (side === 'source' ? source : target)
  async function rows<T extends object>(side: 'source' | 'target', text: string): Promise<T[]> {
    return withClient(sideOf(side).configFor('postgres'), async (client) => {
      await client.query("set search_path = ''")
      return (await client.query<T>(text)).rows
    })
  }
  return {
    source,
    target,
    rows,
    /** Everything that people have made there, as the migrations page sees it. */
    structure: async (side: 'source' | 'target') =>
      (await rows<{ kind: string; name: string; definition: string }>(side, structureSql))
        .filter(({ name }) => !name.startsWith('plinth_import'))
        .map(({ kind, name, definition }) => `${kind} ${name}\n${sameGrants(definition)}`)
        .toSorted(),
    /** Works as one run of the program does, with sessions of its own. */
    async run<T>(work: (run: Run) => Promise<T>, more: Partial<Run> = {}) {
      const open = async (side: 'source' | 'target') => {
        const client = new Client(sideOf(side).configFor('postgres'))
        await client.connect()
        return client
      }
      const [from, to] = [await open('source'), await open('target')]
      const report = createReport('source', 'target')
      try {
        const { roles } = await openTarget(to)
        const { version } = await openSource(from)
        const schemas = await chosenSchemas(from, undefined)
        const run: Run = {
          ask: () => Promise.reject(new Error('Nobody is asked')),
          ref: 'target',
          target: to,
          targetApi: { url: 'http://127.0.0.1:9', key: '' },
          state: await openState(to, 'source'),
          report,
          notify: () => undefined,
          isRehearsal: false,
          source: from,
          asked: { version, schemas, roles },
          connectSource: () => open('source'),
          partRows: 7,
          ...more,
        }
        report.leaveAll(await run.state.findings())
        const result = await work(run)
        return { result, ...report.end() }
      } finally {
        await from.end()
        await to.end()
      }
    },
    async end(): Promise<void> {
      await source.drop()
      await target.drop()
    },
  }
}
export type TwoDatabases = Awaited<ReturnType<typeof startTwoDatabases>>
