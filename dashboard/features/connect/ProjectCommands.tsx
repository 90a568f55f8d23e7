import { Copy, Plug } from 'lucide-react'
import { api } from '#contract/api'
import type { ProjectSettings } from '#contract/projects'
import { messageOf, q, queryClient } from '../../api/client.ts'
import { projectQuery } from '../../session/project.ts'
import { type Command, useCommands } from '../../ui/commands.ts'
import { toast } from '../../ui/toast.ts'
import { connectionUri } from './connection-uri.ts'
import { useShowConnect } from './connect-param.ts'

/** What people copy a hundred times, from the command menu of every page of a project (ids: facts §10). */
export function ProjectCommands({ projectRef }: { projectRef: string }) {
  const connect = useShowConnect()
  const copying = (id: string, what: string, read: () => Promise<string | undefined>): Command => ({
    id,
    section: 'Copy',
    name: `Copy ${what}`,
    icon: Copy,
    run: () => void copy(what, read),
  })
  const keyOf = (tag: string) => async () =>
    keyIn(await queryClient.ensureQueryData(q(api.projects.settings, { ref: projectRef })), tag)
  const project = () => queryClient.ensureQueryData(projectQuery(projectRef))

  useCommands([
    {
      id: 'connect',
      section: 'Actions',
      name: 'Connect to this project',
      icon: Plug,
      run: connect.open,
    },
    copying('api-url', 'API URL', async () => (await project()).endpoint),
    copying('anon-key', 'anon key', keyOf('anon')),
    copying('service-key', 'service key', keyOf('service_role')),
    copying('connection-string', 'connection string', async () => {
      const { db_host: host, db_port: port, cloud_provider } = await project()
      // Where a database is that its operator runs, the operator says.
      if (cloud_provider === 'localhost' || port === null) return undefined
      return connectionUri({ host, port, database: 'postgres', user: 'postgres' })
    }),
  ])
  return null
}

const keyIn = ({ service_api_keys: keys }: ProjectSettings, tag: string) =>
  keys.find(({ tags }) => tags === tag)?.api_key

async function copy(what: string, read: () => Promise<string | undefined>) {
  let text: string | undefined
  try {
    text = await read()
  } catch (error) {
    toast.error(`The ${what} could not be read: ${messageOf(error)}`)
    return
  }
  if (text === undefined) {
    toast.error(`The ${what} is not there for you to read`)
    return
  }
  try {
    await navigator.clipboard.writeText(text)
    toast.success(`Copied the ${what}`)
  } catch {
    // The page has no focus, or the browser forbids it.
    toast.error('Unable to copy to clipboard')
  }
}
