import { quoteIdent } from '#contract/ddl/sql-text'
import type { Client } from '#kit/postgres/client'
import { findRunning } from '#kit/postgres/server'
import { withAdmin, type Admin } from './admin-session.ts'
import { catalogFindings } from './catalog-findings.ts'
import {
  attributes,
  functionOwners,
  guarded,
  members,
  schemaOwners,
  superuser,
  vaultFunctions,
} from './expected-roles.ts'
import type { RoleLook } from '../provider.ts'
import type { Machine } from './machine.ts'
import { changedObjects, repairAtNextStart } from './platform-objects.ts'

/** What only a superuser can have made and no project is given: what a break-out may have left. */
type Finding = { found: string; repair?: string }

/** Of each kind. Who has left more is repaired further at the next start. */
const max = 200
/** Operations on the project wait for the look, so repairs that are held up do not go on for ever. */
const repairMs = 20_000

/**
 * Rows of tables of the catalogue, not of its views, which a superuser can have replaced. They are compared here and not
 * there. A tenant may have any number of roles, so only what can be a finding is asked for. All in one message, whose
 * parameters are lists of our own.
 */
const look = `select 'superuser' as kind, rolname::text as name, '' as member, '' as grantor, false as admin,
    rolreplication as replication, rolbypassrls as bypassrls, rolcreaterole as createrole
  from (select * from pg_catalog.pg_authid where rolsuper and rolname <> all ($1::name[]) limit ${max}) s
union all
select 'role', rolname, '', '', false, rolreplication, rolbypassrls, rolcreaterole
  from pg_catalog.pg_authid where rolname = any ($2::name[])
union all
(select 'member', r.rolname, m.rolname, g.rolname, a.admin_option, false, false, false
  from pg_catalog.pg_auth_members a
  join pg_catalog.pg_authid r on r.oid = a.roleid
  join pg_catalog.pg_authid m on m.oid = a.member
  join pg_catalog.pg_authid g on g.oid = a.grantor
  where (r.rolname = any ($2::name[]) or r.oid < 16384 and r.rolname <> all ($1::name[])) limit ${max})
union all
select 'schema', n.nspname, '', o.rolname, false, false, false, false
  from pg_catalog.pg_namespace n join pg_catalog.pg_authid o on o.oid = n.nspowner
  where n.nspname = any ($3::name[])
union all
(select 'function', n.nspname, f.proname, o.rolname, false, false, false, false
  from pg_catalog.pg_proc f
  join pg_catalog.pg_namespace n on n.oid = f.pronamespace
  join pg_catalog.pg_authid o on o.oid = f.proowner
  where f.prosecdef and f.oid >= 16384 and (n.nspname = any ($3::name[]) or o.rolname = any ($1::name[]))
    and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
      and d.objid = f.oid and d.deptype = 'e')
  order by f.oid desc limit ${max})`

type Row = {
  kind: 'superuser' | 'role' | 'member' | 'schema' | 'function'
  name: string
  member: string
  grantor: string
  admin: boolean
  replication: boolean
  bypassrls: boolean
  createrole: boolean
}

function membership({ name, member, grantor, admin }: Row): Finding[] {
  const known = members[name]?.includes(member) === true
  if (known && !admin) return []
  const names = `${quoteIdent(name)} from ${quoteIdent(member)} granted by ${quoteIdent(grantor)}`
  return known
    ? [
        {
          found: `"${member}" may hand on "${name}"`,
          repair: `revoke admin option for ${names} cascade`,
        },
      ]
    : [{ found: `"${member}" is a member of "${name}"`, repair: `revoke ${names} cascade` }]
}

const isOfVault = ({ name, member, grantor }: Row) =>
  name === 'extensions' && grantor === superuser && vaultFunctions.includes(member)

function findingsOf(row: Row): Finding[] {
  const { kind, name, member, grantor } = row
  switch (kind) {
    case 'superuser':
      return [
        { found: `"${name}" is superuser`, repair: `alter role ${quoteIdent(name)} nosuperuser` },
      ]
    case 'member':
      return membership(row)
    case 'role':
      return (['replication', 'bypassrls', 'createrole'] as const)
        .filter((attribute) => row[attribute] && attributes[name]?.[attribute] === false)
        .map((attribute) => ({ found: `"${name}" has ${attribute}` }))
    case 'schema':
      return schemaOwners[name] === grantor
        ? []
        : [{ found: `the schema "${name}" belongs to "${grantor}"` }]
    case 'function':
      return functionOwners[name] === grantor || isOfVault(row)
        ? []
        : [{ found: `the function "${name}"."${member}" acts as "${grantor}"` }]
  }
}

async function find(client: Client): Promise<Finding[]> {
  const lists = [[superuser], guarded, Object.keys(schemaOwners)]
  const { rows } = await client.query<Row>(look, lists)
  const others = await catalogFindings(client)
  return [...rows.flatMap(findingsOf), ...others.map((found) => ({ found }))]
}

/**
 * Looks for what a break-out of an earlier day has left in the catalogue, takes away what can be taken away without harm, and
 * tells the operator all of it. Who owns something is told only: objects of the tenant may hang on it. A look that fails is told
 * too, and keeps nothing from running.
 */
export async function checkRoles(
  machine: Machine,
  ref: string,
  password: string,
): Promise<RoleLook | undefined> {
  const { folders, log } = machine
  try {
    // It was stopped again meanwhile: the next start looks.
    const server = await findRunning(folders.data(ref))
    if (!server) return undefined
    const admin: Admin = { host: server.socketDir, port: server.port, password }
    const [settled, changed] = await withAdmin(admin, 'roles', async (client) => [
      await settle(client),
      await changedObjects(client, machine.objects),
    ])
    const findings = [...settled, ...(await repairAtNextStart(machine.registry, ref, changed))]
    // One line, with the ref in its words: the log leaves out lines that are like many others.
    if (findings.length > 0)
      log.error({ ref, findings }, `Roles or owners of project ${ref} are not as they are made`)
    return { findings }
  } catch (error) {
    log.error({ err: error, ref }, `The roles of project ${ref} could not be looked at`)
    return { findings: [], failure: String(error) }
  }
}

async function settle(client: Client): Promise<RoleLook['findings']> {
  const until = performance.now() + repairMs
  const settled = []
  for (const finding of await find(client)) {
    const outcome = performance.now() < until ? await repair(client, finding) : unrepaired
    settled.push({ found: finding.found, ...outcome })
  }
  return settled
}
const unrepaired = { repaired: false }

/** One that fails keeps no other from being repaired. */
async function repair(client: Client, finding: Finding) {
  if (finding.repair === undefined) return unrepaired
  try {
    await client.query(finding.repair)
    return { repaired: true }
  } catch (err) {
    return { ...unrepaired, failure: String(err) }
  }
}
