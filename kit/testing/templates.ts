import { grantedProjectSql } from '#compute/testing/granted-project-sql'
import { migratePlatform } from '#control-plane/platform-database/store'
import { createJobs } from '#kit/jobs'
import { silentLog } from '#kit/log'
import { Pool, withClient } from '#kit/postgres/client'
import { scramVerifier } from '#kit/postgres/scram'
import { platformSchema } from '#start/tenants'

type Admin = { host: string; port: number; user: string; password: string }

/**
 * What `createTestDatabase` copies: the database of a project, without what a new one chooses: a choice is made for the
 * whole server, and here all databases of a run share one.
 */
export async function makeProjectTemplate(admin: Admin): Promise<void> {
  await create(admin, 'template_project')
  await withClient({ ...admin, database: 'template_project' }, async (client) => {
    for (const sql of await grantedProjectSql()) await client.query(sql)
    const verifier = await scramVerifier(admin.password)
    const roles =
      "select format('alter role %I password %L', rolname, $1::text) as sql from pg_roles"
    const logins = await client.query(`${roles} where rolcanlogin`, [verifier])
    for (const { sql } of logins.rows) await client.query(String(sql))
  })
}

/**
 * What `createPlatformDatabase` copies: the platform's own database, as a control plane that starts makes it, and the
 * tables of its jobs. Its roles are those of the project, which is made before it.
 */
export async function makePlatformTemplate(admin: Admin): Promise<void> {
  const database = 'template_platform'
  await create(admin, database)
  await migratePlatform({ ...admin, database }, platformSchema())
  const pool = new Pool({ ...admin, database })
  try {
    const outbox = { unfinished: async () => [], finish: async () => {} }
    const jobs = await createJobs({ pool, handlers: {}, outbox, log: silentLog })
    await jobs.close()
  } finally {
    await pool.end()
  }
}

async function create(admin: Admin, name: 'template_project' | 'template_platform') {
  await withClient({ ...admin, database: 'postgres' }, (client) =>
    client.query(['create database', name].join(' ')),
  )
}
