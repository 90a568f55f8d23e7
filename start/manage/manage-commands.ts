import { z } from 'zod'
import { importCommands } from '../import/command.ts'
import { claimCommands } from './manage-claims.ts'
import { create } from './manage-create.ts'
import { extensionCommands } from './manage-extensions.ts'
import { failoverCommands } from './manage-failover.ts'
import { healthCommands } from './manage-health.ts'
import { logCommands } from './manage-logs.ts'
import { operatorCommands } from './manage-operators.ts'
import { orphanCommands } from './manage-orphans.ts'
import {
  Detail,
  Organization,
  Project,
  databaseUrl,
  keyLines,
  keysOf,
  listened,
  listener,
  portIn,
} from './manage-project.ts'
import { vaultCommands } from './manage-vault.ts'
import { refIn, UsageError, type Context, type Result, type Command } from './manage-command.ts'

const Brief = z.object({ ref: z.string(), name: z.string() })

const order =
  (request: (ref: string) => string, done: string) =>
  async (rest: string[], { ask }: Context): Promise<Result> => {
    const { ref, name } = await ask(request(refIn(rest)), Brief)
    return { data: { ref, name }, lines: [`${name} (${ref}) ${done}`] }
  }

/** By what is typed, longest first. */
export const commands: Readonly<Record<string, Command>> = {
  'orgs list': {
    takes: '',
    does: 'Lists the organizations that you belong to',
    max: 0,
    run: async (_, { ask }) => {
      const data = await ask('GET /v1/organizations', z.array(Organization))
      return { data, lines: data.map(({ slug, name }) => `${slug}  ${name}`) }
    },
  },
  'orgs create': {
    takes: 'NAME',
    does: 'Creates an organization',
    max: 1,
    run: async ([name], { ask }) => {
      if (name === undefined) throw new UsageError('missing NAME: the name of the organization')
      const data = await ask('POST /v1/organizations', Organization, { name })
      return { data, lines: [data.slug] }
    },
  },
  'projects list': {
    takes: '',
    does: 'Lists the projects that you can see',
    max: 0,
    run: async (_, { ask }) => {
      const projects = await ask('GET /v1/projects', z.array(Project))
      const lines = projects.map(({ ref, status, name }) => `${ref}  ${status}  ${name}`)
      return { data: projects, lines }
    },
  },
  'projects create': {
    takes:
      '[NAME] [--org SLUG] [--region CODE] [--port N] [--db-password TEXT] [--jwt-secret TEXT | --signing-key FILE] [--new-tables private|granted] [--example books|todo]',
    does: 'Creates a project, waits until it is up, and prints its address and keys',
    max: 1,
    run: create,
  },
  'projects pause': {
    takes: 'REF',
    does: 'Pauses a project',
    max: 1,
    run: order((ref) => `POST /v1/projects/${ref}/pause`, 'is being paused'),
  },
  'projects restore': {
    takes: 'REF',
    does: 'Restores a paused project',
    max: 1,
    run: order((ref) => `POST /v1/projects/${ref}/restore`, 'is being restored'),
  },
  'projects delete': {
    takes: 'REF',
    does: 'Deletes a project; the dashboard can restore it for PLINTH_TRASH_DAYS',
    max: 1,
    run: order((ref) => `DELETE /v1/projects/${ref}`, 'is being deleted'),
  },
  'projects listen': {
    takes: 'REF --port N|off',
    does: 'Also serves a project at http://127.0.0.1:N, without its ref in the path',
    max: 1,
    run: async (rest, { ask, flags: { port } }) => {
      const ref = refIn(rest)
      if (port === undefined) throw new UsageError('give a port with --port N, or --port off')
      const requested = port === 'off' ? null : portIn(port)
      const data = await listened(ask, `PUT ${listener(ref)}`, { port: requested })
      return { data, lines: [data.url ?? `${ref} has no port of its own`] }
    },
  },
  ...failoverCommands,
  ...orphanCommands,
  ...claimCommands,
  ...operatorCommands,
  ...healthCommands,
  ...extensionCommands,
  ...importCommands,
  'db url': {
    takes: 'REF',
    does: "Prints the connection string of a project's database, without the password",
    max: 1,
    run: async (rest, { ask }) => {
      const detail = await ask(`GET /platform/projects/${refIn(rest)}`, Detail)
      const url = databaseUrl(detail, '[YOUR-PASSWORD]')
      return { data: { database_url: url }, lines: [url] }
    },
  },
  keys: {
    takes: 'REF [--reveal]',
    does: 'Prints the API keys of a project; secret keys only with --reveal',
    max: 1,
    run: async (rest, { ask, flags }) => {
      const keys = await keysOf(ask, refIn(rest), flags.reveal ?? false)
      return { data: keys, lines: keyLines(keys) }
    },
  },
  types: {
    takes: 'REF [--schemas public,app]',
    does: "Prints TypeScript types of a project's database",
    max: 1,
    run: async (rest, { ask, flags }) => {
      const query = new URLSearchParams({ included_schemas: flags.schemas ?? 'public' })
      const path = `/v1/projects/${refIn(rest)}/types/typescript?${query.toString()}`
      const { types } = await ask(`GET ${path}`, z.object({ types: z.string() }))
      return { data: { types }, lines: [types.trimEnd()] }
    },
  },
  ...vaultCommands,
  ...logCommands,
}
