import { hash, verify } from '@node-rs/bcrypt'
import { compare, type Measured } from './parts/compare.ts'
import { httpLoad } from './parts/http-load.ts'
import { serve, token, withServedProject, type ServedProject } from './parts/served-project.ts'

/**
 * Logins with a password, through gateway and auth service into the database, against the bcrypt that each of them can
 * not do without. The figure is logins per second of one core: all processor time of the program and of Postgres.
 */
const [users, connections, roundMs] = [64, 4, 6000]
const password = 'correct horse 1'
const address = (index: number) => `user${index}@example.com`

function setup(stored: string): string[] {
  return Array.from(
    { length: users },
    (_, index) =>
      `insert into auth.users (email, encrypted_password, email_confirmed_at, aud, role)
       values ('${address(index)}', '${stored}', now(), 'authenticated', 'authenticated')`,
  )
}

/** One login after the other, each of the next user and from an address of its own, so that no limit is met. */
function requests({ connection: { ref, anonKey } }: ServedProject): () => string {
  let count = 0
  return () => {
    count += 1
    const body = JSON.stringify({ email: address(count % users), password })
    const from = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
    const head = [
      `POST /${ref}/auth/v1/token?grant_type=password HTTP/1.1`,
      'Host: localhost',
      `apikey: ${anonKey}`,
      `Authorization: Bearer ${token({ role: 'anon', ref })}`,
      'Content-Type: application/json',
      `X-Forwarded-For: ${from}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    return `${head.join('\r\n')}\r\n\r\n${body}`
  }
}

async function bareBcrypt(stored: string): Promise<number> {
  const end = performance.now() + roundMs
  const counts = Array.from({ length: connections }, async () => {
    let count = 0
    for (; performance.now() < end; count++) {
      if (!(await verify(password, stored))) throw new Error('The password does not fit')
    }
    return count
  })
  return (await Promise.all(counts)).reduce((a, b) => a + b, 0)
}

/** Operations per second of one core, whatever else the machine does. */
const perCoreSecond = ({ cpuMs }: Measured): Measured => ({ value: 1000 / cpuMs, cpuMs })

async function main(): Promise<void> {
  const stored = await hash(password, 10)
  await withServedProject(setup(stored), async (project) => {
    const at = { host: '127.0.0.1', port: project.port }
    const next = requests(project)
    await compare('login', {
      ours: async () =>
        perCoreSecond(
          await project.measure('ours', () => httpLoad(at, connections, roundMs, next)),
        ),
      baseline: async () =>
        perCoreSecond(await project.measure('driver', () => bareBcrypt(stored))),
    })
  })
}

if (process.argv[2] === 'serve') serve()
else await main()
