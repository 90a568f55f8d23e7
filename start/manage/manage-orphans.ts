import { z } from 'zod'
import { orphans as api } from '#contract/operations/orphans'
import { roleLooks } from '#contract/operations/role-looks'
import { rounds } from '#contract/operations/rounds'
import { refIn, UsageError, type Context, type Result, type Word } from './manage-word.ts'

const path = '/internal/orphans'
const List = api.list.returns
const Removed = z.object({ removed: z.boolean() })

/** `REF`, or `REF ID` for a backup of that project. */
function named([ref, id]: string[]): { ref: string; id: string | undefined; text: string } {
  const project = refIn(ref === undefined ? [] : [ref])
  if (id !== undefined && !/^\d+$/.test(id)) throw new UsageError(`"${id}" is no id of a backup`)
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
    return { data, lines: [`${text} is being read back`] }
  }
  if (flags.org === undefined) throw new UsageError('name the organization with --org SLUG')
  const data = await ask(`POST ${path}/projects/${ref}/adopt`, api.adoptProject.returns, {
    organization_slug: flags.org,
    name: flags.name,
    region: flags.region,
    sealing_ref: flags['sealed-as'],
  })
  return {
    data,
    lines: [`${text} is being started as ${data.name}, with new keys and passwords`],
  }
}

/** What the operator says of what no row of the platform database knows, of what a break-out has left, and of rounds that fail. */
export const orphanWords: Readonly<Record<string, Word>> = {
  'orphans list': {
    takes: '',
    does: 'Lists what the platform keeps and its database does not know',
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
    does: 'Adopts a project that no row names, or backup ID of a project',
    max: 2,
    run: adopt,
  },
  'orphans remove': {
    takes: 'REF [ID]',
    does: 'Removes such a project, or backup ID of one, immediately and permanently',
    max: 2,
    run: async (rest, { ask }) => {
      const { ref, id, text } = named(rest)
      const at = id === undefined ? `projects/${ref}` : `backups/${ref}/${id}`
      const data = await ask(`DELETE ${path}/${at}`, Removed)
      return { data, lines: [`${text} is gone`] }
    },
  },
  'orphans objects': {
    takes: 'REF [--remove]',
    does: "Counts stored files that no row of a project's database names, or removes them",
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
    does: 'Lists superusers, members, owners and rights that were found in projects and that no project is given',
    max: 0,
    run: async (_, { ask }) => {
      const data = await ask('GET /internal/role-looks', roleLooks.list.returns)
      const lines = data.looks.flatMap(({ ref, name, looked_at, findings, failure }) => [
        `${ref}  ${name}  looked at ${looked_at}`,
        ...(failure === null ? [] : [`  could not be looked at: ${failure}`]),
        ...findings.map(
          (one) =>
            `  ${one.found}: ${one.repaired ? 'taken away' : 'still so'}${one.failure === undefined ? '' : `, ${one.failure}`}`,
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
    does: 'Lists what the platform could not look after, and why',
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
