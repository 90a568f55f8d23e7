import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createBareServer } from '../../bench/parts/bare-server.ts'
import { createOrganization, createProject, reaches, signUp } from '../testing/client.ts'
import { newHome, startPlatform } from '../testing/platform.ts'
import { withClient } from '#kit/postgres/client'
import { freePort } from '#kit/testing/free-port'

test('the platform keeps its tables in an existing server, under a role that owns one database only', async () => {
  const home = await newHome()
  const port = await freePort()
  const server = await createBareServer(home, port)
  await server.init()
  await server.start()
  const admin = {
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: 'bare',
    database: 'postgres',
  }
  await withClient(admin, async (client) => {
    await client.query("create role platform login password 'secret'")
    await client.query('create database platform owner platform')
  })
  const url = `postgres://platform:secret@127.0.0.1:${port}/platform`
  const platform = await startPlatform({
    home: await newHome(),
    environment: { PLATFORM_DATABASE_URL: url },
  })
  try {
    const ada = await signUp(platform.url, 'ada@example.com')
    const { ref } = await createProject(ada, await createOrganization(ada, 'Acme'), 'Books')
    await reaches(ada, ref, ['ACTIVE_HEALTHY'])
    const rows = await withClient({ ...admin, database: 'platform' }, (client) =>
      client.query('select status from platform.projects'),
    )
    expect(rows.rows).toEqual([{ status: 'ACTIVE_HEALTHY' }])
  } finally {
    await platform.dispose()
    await server.stop()
    await rm(home, { recursive: true, force: true })
  }
})
