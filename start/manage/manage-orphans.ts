import { z } from 'zod'
import { orphans as api } from '#contract/operations/orphans'
import { roleLooks } from '#contract/operations/role-looks'
import { rounds } from '#contract/operations/rounds'
import { refIn, UsageError, type Context, type Result, type Command } from './manage-command.ts'

const path = '/internal/orphans'
const List = api.list.returns
const Removed = z.object({ removed: z.boolean() })

/** `REF`, or `REF ID` for a backup of that project. */
function named([ref, id]: string[]): { ref: string; id: string | undefined; text: string } {
  const project = refIn(ref === undefined ? [] : [ref])
  if (id !== undefined && !/^\d+$/.test(id))
    throw new UsageError(`"${id}" is not the ID of a backup`)
  return {
    ref: project,
    id,
    text: id === undefined ? `project ${project}` : `backup ${id} of project ${project}`,
  }
}

async function adopt(rest: string[], { ask, flags }: Context): Promise<Result> {
  const { ref, id, text } = named(rest)
  if (id !== undefined) {
    const data = await ask(`POST ${path}/backups/${ref}/${id}/adopt`, z.looseObject({}))
    return { data, lines: [`reading ${text} back`] }
  }
  if (flags.org === undefined) throw new UsageError('choose the organization with --org SLUG')
  const data = await ask(`POST ${path}/projects/${ref}/adopt`, api.adoptProject.returns, {
    organization_slug: flags.org,
    name: flags.name,
    region: flags.region,
    sealing_ref: flags['sealed-as'],
  })
  return {
    data,
    lines: [`starting ${text} as ${data.name}, with new keys and passwords`],
  }
}

/** Orphans, leftovers of a break-out, and rounds that fail: what an operator decides about. */
export const orphanCommands: Readonly<Record<string, Command>> = {
  'orphans list': {
    takes: '',
    does: 'Lists projects and backups that exist but have no row in the platform database',
    max: 0,
    run: async (_, { ask }) => {
      const { orphans } = await ask(`GET ${path}`, List)
      const lines = orphans.map(({ kind, ref, name, state, found_at }) =>
        [kind, ref, name || state, `found ${found_at}`].join('  '),
      )
      return { data: orphans, lines }
    },
  },
  'orphans adopt': {
    takes: 'REF --org SLUG [--name TEXT] [--region CODE] [--sealed-as REF] | REF ID',
    does: 'Adopts an orphaned project, or backup ID of a project',
    max: 2,
    run: adopt,
  },
  'orphans remove': {
    takes: 'REF [ID]',
    does: 'Removes an orphaned project, or backup ID of one, immediately and permanently',
    max: 2,
    run: async (rest, { ask }) => {
      const { ref, id, text } = named(rest)
      const at = id === undefined ? `projects/${ref}` : `backups/${ref}/${id}`
      const data = await ask(`DELETE ${path}/${at}`, Removed)
      return { data, lines: [`removed ${text}`] }
    },
  },
  'orphans objects': {
    takes: 'REF [--remove]',
    does: "Counts stored files that no row of the project's database refers to; --remove removes them",
    max: 1,
    run: async (rest, { ask, flags }) => {
      const ref = refIn(rest)
      const method = flags.remove ? 'DELETE' : 'GET'
      const data = await ask(`${method} ${path}/objects/${ref}`, api.objects.returns)
      return { data, lines: [`${data.count} ${flags.remove ? 'removed' : 'kept'}`] }
    },
  },
  roles: {
    takes: '',
    does: 'Lists privileges found in projects that Plinth never grants: superusers, members, owners and other rights',
    max: 0,
    run: async (_, { ask }) => {
      const data = await ask('GET /internal/role-looks', roleLooks.list.returns)
      const lines = data.looks.flatMap(({ ref, name, looked_at, findings, failure }) => [
        `${ref}  ${name}  checked ${looked_at}`,
        ...(failure === null ? [] : [`  could not be checked: ${failure}`]),
        ...findings.map(
          (one) =>
            `  ${one.found}: ${one.repaired ? 'revoked' : 'still there'}${one.failure === undefined ? '' : `, ${one.failure}`}`,
        ),
      ])
      const none = [
        `nothing was found in ${data.projects} ${data.projects === 1 ? 'project' : 'projects'}`,
      ]
      return { data, lines: lines.length > 0 ? lines : none }
    },
  },
  rounds: {
    takes: '',
    does: 'Lists periodic tasks that failed, and why',
    max: 0,
    run: async (_, { ask }) => {
      const { failing } = await ask('GET /internal/rounds', rounds.failing.returns)
      const lines = failing.map(
        ({ round, subject, failures, since, failure }) =>
          `${round}  ${subject}  ${failures} times since ${since}: ${failure}`,
      )
      return { data: failing, lines }
    },
  },
}
