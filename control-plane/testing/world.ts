import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { roleNames, type RoleName } from '#contract/permissions'
import { createDataPlane } from '#data-plane/app'
import { remoteFunctions } from '#data-plane/functions/source'
import type { DataPlaneOptions } from '#data-plane/options'
import { createDirectory, type RemoteDirectory } from '#data-plane/projects/directory'
import { silentLog } from '#kit/log'
import { freePort } from '#kit/testing/free-port'
import { internalToken, startControlPlane, type Person } from './control-plane.ts'
import { newcomer, organizationOf } from './people.ts'

/** What a test wants different of the data plane; some of it asks the control plane. */
type Services =
  | Partial<DataPlaneOptions>
  | ((directory: RemoteDirectory, controlUrl: string) => Partial<DataPlaneOptions>)

/**
 * Both planes and one project with a server of its own: what one asks of the other is asked for real. The organization
 * `acme` has a member of each role; `stranger` is in none.
 */
export async function startWorld(
  setup = '',
  more: Parameters<typeof startControlPlane>[2] = {},
  services: Services = {},
  /** Where edge functions are run; without it there are none. */
  functionsHome?: string,
) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const projectUrl = more.projectUrl ?? `${origin}/{ref}`
  const control = await startControlPlane(silentLog, origin, { ...more, projectUrl })
  const controlUrl = await control.app.listen({ host: '127.0.0.1', port: 0 })
  const token = internalToken
  async function startData() {
    const directory = createDirectory({ controlPlaneUrl: controlUrl, token, log: silentLog })
    const data = createDataPlane({
      directory,
      listeners: directory,
      hostnames: directory,
      databasePorts: directory,
      webhooks: {
        source: directory,
        keepNetUse: async (ref, used) => {
          const headers = { authorization: `Bearer ${token}` }
          await control.app.inject({
            method: 'POST',
            url: '/internal/net',
            headers,
            payload: { ref, used },
          })
        },
      },
      internalToken,
      projectUrl,
      mailFrom: 'Plinth <no-reply@localhost>',
      keepMail: () => Promise.resolve(),
      // Who is refused is told at once, as in the tests of the service.
      realtimeTiming: { handshakeBackoff: 0, joinBackoff: 0 },
      imports: { folder: join(tmpdir(), `plinth-imports-${randomUUID()}`) },
      log: silentLog,
      ...(functionsHome !== undefined && {
        functions: {
          home: functionsHome,
          source: remoteFunctions({ controlPlaneUrl: controlUrl, token, directory }),
        },
      }),
      ...(typeof services === 'function' ? services(directory, controlUrl) : services),
    })
    await data.listen({ host: '127.0.0.1', port })
    return async () => {
      directory.close()
      await data.close()
    }
  }
  let stopData = await startData()

  const ada = await newcomer(control, 'ada')
  const stranger = await newcomer(control, 'eve')
  const organization = await organizationOf(ada, 'Acme')
  const members = new Map<RoleName, Person>([['Owner', ada]])
  for (const role of roleNames.filter((name) => name !== 'Owner')) {
    const member = await newcomer(control, role.toLowerCase())
    await control.db
      .insertInto('platform.members')
      .values({ organization_id: organization.id, user_id: member.userId, role })
      .execute()
    members.set(role, member)
  }

  async function createProject(name: string) {
    const made = await ada.call('POST', '/platform/projects', {
      name,
      organization_slug: 'acme',
      db_pass: password,
      db_region: 'eu-central-1',
    })
    const ref = String(made.body['ref'])
    const isUp = async () => {
      const { body } = await ada.call('GET', `/platform/projects/${ref}/status`)
      if (body['status'] !== 'ACTIVE_HEALTHY') throw new Error(`It is ${String(body['status'])}`)
    }
    await vi.waitFor(isUp, { timeout: 120_000, interval: 50 })
    return {
      ref,
      /** http://127.0.0.1:port/ref */
      url: `${origin}/${ref}`,
      anonKey: String(made.body['anon_key']),
      serviceKey: String(made.body['service_key']),
    }
  }
  const password = 'a long and winding password 42!'
  const project = await createProject('Books')

  /** SQL as the project's owner, in the way in which tools of the Management API run it. */
  async function sql(query: string) {
    const path = `/v1/projects/${project.ref}/database/query`
    const answer = await ada.call('POST', path, { query })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return Object.values(answer.body) as Record<string, unknown>[]
  }
  if (setup !== '') await sql(setup)

  return {
    control,
    /** http://127.0.0.1:port of the control plane. */
    controlUrl,
    project,
    ref: project.ref,
    password,
    createProject,
    ada,
    stranger,
    sql,
    /** The member with this role. */
    as(role: RoleName): Person {
      const found = members.get(role)
      if (!found) throw new Error(`Nobody is ${role}`)
      return found
    },
    /** Ends the data plane and starts it anew, after `meanwhile`. */
    async restartServices(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
      await stopData()
      await meanwhile()
      stopData = await startData()
    },
    async end(): Promise<void> {
      await stopData()
      // Its own requests come from this very process, whose client keeps connections for later: they would be waited for.
      const closing = setInterval(() => control.app.server.closeAllConnections(), 50)
      await control.end()
      clearInterval(closing)
    },
  }
}
export type World = Awaited<ReturnType<typeof startWorld>>
