import { expect } from 'vitest'
import { sampleRows, sampleSchema } from '#start/testing/import/sample'
import { files, service, signedIn, visitorAs, type ImportWorld } from './import-world.ts'
import { password } from './people.ts'

/** Rows, people, files, an edge function and a secret, as a project has them that is in use. */
export async function fillSource({ owner, source, sql }: ImportWorld): Promise<void> {
  for (const statement of [...sampleSchema, ...sampleRows]) await sql(source, statement)
  await sql(
    source,
    `insert into app.events (at, what) select date '2024-03-01' + n % 300, repeat('x', n % 50) from generate_series(1, 4000) n`,
  )
  await sql(source, `create role reporting login password 'x'`)
  const migration = { name: 'shelves', query: 'create table public.shelves (id int primary key)' }
  expect(
    (await owner.call('POST', `/v1/projects/${source.ref}/database/migrations`, migration)).status,
  ).toBe(200)
  const admin = service(source)
  for (const name of ['ada', 'eve'])
    expect(
      (
        await admin.auth.admin.createUser({
          email: `${name}@shop.test`,
          password: `${name}${password}`,
          email_confirm: true,
          user_metadata: { name },
        })
      ).error,
    ).toBeNull()
  await admin.auth.admin.createUser({
    email: 'bob@shop.test',
    email_confirm: true,
    phone: '4915112345678',
    password: `bob${password}`,
    phone_confirm: true,
    ban_duration: '24h',
  })
  await admin.storage.createBucket('avatars', {
    public: true,
    fileSizeLimit: 5 * 2 ** 20,
    allowedMimeTypes: ['text/*', 'application/*'],
  })
  await admin.storage.createBucket('empty')
  for (const [name, bytes, contentType] of files) {
    const options = { contentType, cacheControl: '77', metadata: { said: `of ${name}` } }
    expect((await admin.storage.from('avatars').upload(name, bytes, options)).error).toBeNull()
  }
  const { data } = await signedIn(source, 'ada')
  const own = `${data.user?.id}/own.txt`
  expect(
    (
      await visitorAs(source, data.session?.access_token)
        .storage.from('avatars')
        .upload(own, 'mine')
    ).error,
  ).toBeNull()
  const deployed = await owner.call(
    'POST',
    `/v1/projects/${source.ref}/functions/deploy?slug=hello`,
    {
      metadata: { name: 'Hello', entrypoint_path: 'src/main.ts', verify_jwt: false },
      file: [
        [
          'src/main.ts',
          `import { word } from '../lib/word.ts'\nDeno.serve(() => new Response(word + (Deno.env.get('GREETING') ?? '')))`,
        ],
        ['lib/word.ts', `export const word = 'hello '`],
      ].map(([path, text = '']) => ({ path, content: Buffer.from(text).toString('base64') })),
    },
  )
  expect(deployed.status).toBe(201)
  await owner.call('POST', `/v1/projects/${source.ref}/secrets`, [
    { name: 'GREETING', value: 'world' },
  ])
}
