import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import { loginRoles, type LoginRole } from '#contract/database/login-roles'
import { findRunning } from '#kit/postgres/server'
import type { LoginOpening } from '../../provider.ts'
import { withAdmin } from '../admin-session.ts'
import type { Machine } from '../machine.ts'

/** What each may: become the owner, who the owner is anyway; or read what the platform's own reader can. */
const rights: Record<LoginRole, { attributes: string; grant: string }> = {
  [loginRoles.owner]: {
    attributes: 'noinherit nobypassrls',
    grant: 'grant postgres to %I with admin false, inherit false, set true',
  },
  [loginRoles.reader]: {
    attributes: 'inherit bypassrls',
    grant: 'grant plinth_read_only to %I with admin false, inherit true, set false',
  },
}

/**
 * Whoever made a role of this name before, it is ours from now on: with the attributes, memberships and settings that are written
 * here, and nobody is in it.
 */
function openSql({ role, verifier, until }: LoginOpening): string {
  const { attributes, grant } = rights[role]
  const name = quoteLiteral(role)
  return `do $open$
declare found record;
begin
  if not exists (select from pg_roles where rolname = ${name}) then
    create role ${quoteIdent(role)};
  end if;
  for found in select r.rolname as given, m.rolname as member, g.rolname as grantor from pg_auth_members a
    join pg_roles r on r.oid = a.roleid join pg_roles m on m.oid = a.member join pg_roles g on g.oid = a.grantor
    where r.rolname = ${name} or m.rolname = ${name}
  loop
    execute format('revoke %I from %I granted by %I cascade', found.given, found.member, found.grantor);
  end loop;
  alter role ${quoteIdent(role)} login ${attributes} nosuperuser nocreaterole nocreatedb noreplication connection limit 20
    password ${quoteLiteral(verifier)} valid until ${quoteLiteral(until.toISOString())};
  alter role ${quoteIdent(role)} reset all;
  execute format('alter role %I in database %I reset all', ${name}, current_database());
  execute format(${quoteLiteral(grant)}, ${name});
end $open$${role === loginRoles.reader ? `;\nalter role ${quoteIdent(role)} set default_transaction_read_only = on` : ''}`
}

const closeSql = `do $close$
declare found name;
begin
  for found in select rolname from pg_roles where rolname in (${Object.values(loginRoles).map(quoteLiteral).join(', ')})
  loop
    execute format('alter role %I nologin password null', found);
    perform pg_terminate_backend(pid) from pg_stat_activity where usename = found;
  end loop;
end $close$`

async function session(
  { folders }: Machine,
  ref: string,
  password: string,
  statement: string,
): Promise<boolean> {
  const server = await findRunning(folders.data(ref))
  if (!server) return false
  const admin = { host: server.socketDir, port: server.port, password }
  await withAdmin(admin, 'login roles', (client) => client.query(statement))
  return true
}

/** False: no server runs. */
export const openLogin = (
  machine: Machine,
  ref: string,
  opening: LoginOpening,
  adminPassword: string,
): Promise<boolean> => session(machine, ref, adminPassword, openSql(opening))

/** False: no server runs, and nobody is connected. */
export const closeLogins = (
  machine: Machine,
  ref: string,
  adminPassword: string,
): Promise<boolean> => session(machine, ref, adminPassword, closeSql)
