import { lazy, Suspense } from 'react'
import { Copy, Plug } from 'lucide-react'
import { apiKeys } from '#contract/projects/api-keys'
import type { ApiKey } from '#contract/projects/api-keys'
import { call, messageOf, queryClient } from '../../../api/client.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { type Command, useCommands } from '../../../ui/floats/commands.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { useConnectParam, useShowConnect } from './connect-param.ts'
import { connectionUri } from './connection-uri.ts'

const ConnectDialog = lazy(() =>
  import('./ConnectDialog.tsx').then((m) => ({ default: m.ConnectDialog })),
)

/** The dialog, on any page of a project whose address says `showConnect=true`. */
export function ConnectGate({ projectRef }: { projectRef: string }) {
  const tab = useConnectParam()
  return tab === undefined ? null : (
    <Suspense>
      <ConnectDialog projectRef={projectRef} tab={tab} />
    </Suspense>
  )
}

/** In the top bar of every page of a project. */
export function ConnectButton() {
  const connect = useShowConnect()
  return (
    <>
      <Button className="hide-narrow" icon={Plug} aria-haspopup="dialog" onClick={connect.open}>
        Connect
      </Button>
      <IconButton
        className="narrow-only"
        icon={Plug}
        label="Connect"
        aria-haspopup="dialog"
        onClick={connect.open}
      />
    </>
  )
}

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
  // Read for this only, as the page of the keys does it.
  const keyOf = (type: ApiKey['type']) => async () =>
    (await call(apiKeys.list, { ref: projectRef, reveal: type === 'secret' })).find(
      (key) => key.type === type,
    )?.api_key
  const project = () => queryClient.ensureQueryData(projectQuery(projectRef))

  useCommands([
    {
      id: 'connect',
      section: 'Actions',
      name: 'Connect to this project',
      icon: Plug,
      run: connect.open,
    },
    copying('api-url', 'API URL', async () => (await project()).public_url),
    copying('anon-key', 'publishable key', keyOf('publishable')),
    copying('service-key', 'secret key', keyOf('secret')),
    copying('connection-string', 'connection string', async () => {
      const { db_host: host, db_port: port, cloud_provider, db_user, db_name } = await project()
      // Where a database is that its operator runs, the operator says.
      if (cloud_provider === 'localhost' || port === null) return undefined
      return connectionUri({ host, port, database: db_name, user: db_user })
    }),
  ])
  return null
}

async function copy(what: string, read: () => Promise<string | undefined>) {
  let text: string | undefined
  try {
    text = await read()
  } catch (error) {
    toast.error(`The ${what} could not be read: ${messageOf(error)}`)
    return
  }
  if (text === undefined) {
    toast.error(`The ${what} could not be loaded, or you cannot read it`)
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
