import { randomBytes } from 'node:crypto'
import { loginRoles, loginRoleSeconds } from '#contract/database/login-roles'
import { v1 as api } from '#contract/v1/v1'
import { ApiError } from '#kit/errors'
import { implement, type Caller, type Origin } from '#kit/http'
import { scramVerifier } from '#kit/postgres/scram'
import type { Platform } from '../../platform.ts'

type Needs = {
  /** Of the superuser. @throws ApiError project_not_found */
  adminPasswordOf: (ref: string) => Promise<string>
}

/** Programs that have a token sign in at the database for a while, without anybody's password. */
export function loginRolesFeature(
  { compute, audited, access, now }: Platform,
  { adminPasswordOf }: Needs,
) {
  async function create(ref: string, isReader: boolean, caller: Caller, origin: Origin) {
    if (!isReader && !(await access.can(caller, ref, 'tenant:Sql:Admin:Write', 'tables')))
      throw new ApiError('not_allowed', 'You have read access only. Send read_only: true')
    const { openLogin } = compute
    if (!openLogin)
      throw new ApiError(
        'not_on_this_installation',
        'This installation has no temporary login roles; connect with the database password',
      )
    const role = isReader ? loginRoles.reader : loginRoles.owner
    const password = randomBytes(24).toString('base64url')
    const verifier = await scramVerifier(password)
    const until = new Date(now().getTime() + loginRoleSeconds * 1000)
    const adminPassword = await adminPasswordOf(ref)
    await audited({ caller, ref, origin }, 'login-role.create', async () => {
      if (!(await openLogin(ref, { role, verifier, until }, adminPassword)))
        throw new ApiError('project_unreachable')
      return { change: { role } }
    })
    return { role, password, ttl_seconds: loginRoleSeconds }
  }

  async function remove(ref: string, caller: Caller, origin: Origin) {
    const { closeLogins } = compute
    const adminPassword = await adminPasswordOf(ref)
    await audited({ caller, ref, origin }, 'login-role.remove', async () => ({
      change: (await closeLogins?.(ref, adminPassword)) ? {} : undefined,
    }))
    return { message: 'ok' as const }
  }

  return {
    routes: [
      implement(api.createLoginRole, ({ ref, read_only }, caller, origin) =>
        create(ref, read_only, caller, origin),
      ),
      implement(api.removeLoginRoles, ({ ref }, caller, origin) => remove(ref, caller, origin)),
    ],
  }
}
