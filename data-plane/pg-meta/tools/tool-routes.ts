import { databaseTools } from '#contract/database/database-tools'
import { deparse } from './deparse.ts'
import type { Facts } from './generators/facts.ts'
import { readFacts } from './generators/read-facts.ts'
import { go } from './generators/go.ts'
import { python } from './generators/python.ts'
import { swift } from './generators/swift.ts'
import { typescript } from './generators/typescript.ts'
import { answer, handle, type Http, type MetaRoute, type UseSession } from '../routes.ts'
import { getHealth, getVersion, listSettings } from './server-config.ts'
import { formatSql, parseTree } from './sql-text-tools.ts'

const asText = 'text/plain; charset=utf-8'

type Schemas = { included_schemas?: string | undefined; excluded_schemas?: string | undefined }

/** Facts about the server, tools for SQL texts, and types for programs. */
export function toolRoutes(read: UseSession): MetaRoute[] {
  /** A text that is made from all of a database. */
  async function generate(schemas: Schemas, { reply, who }: Http, write: (facts: Facts) => string) {
    const facts = await read(who, (db) => readFacts(db, schemas))
    return reply.type(asText).send(write(facts))
  }
  return [
    answer(read, databaseTools.health, getHealth),
    answer(read, databaseTools.config, listSettings),
    answer(read, databaseTools.version, getVersion),
    handle(databaseTools.format, async ({ query }, { reply }) =>
      reply.type(asText).send(await formatSql(query)),
    ),
    handle(databaseTools.parse, ({ query }) => parseTree(query)),
    handle(databaseTools.deparse, async ({ ast }, { reply }) =>
      reply.type(asText).send(await deparse(ast)),
    ),
    handle(databaseTools.typescript, (input, http) =>
      generate(input, http, (facts) =>
        typescript(facts, {
          oneToOne: input.detect_one_to_one_relationships === 'true',
          postgrestVersion: input.postgrest_version,
        }),
      ),
    ),
    handle(databaseTools.go, (input, http) => generate(input, http, go)),
    handle(databaseTools.swift, (input, http) =>
      generate(input, http, (facts) => swift(facts, input.access_control)),
    ),
    handle(databaseTools.python, (input, http) => generate(input, http, python)),
  ]
}
