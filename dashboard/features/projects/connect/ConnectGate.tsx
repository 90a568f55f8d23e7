import { lazy, Suspense } from 'react'
import { Plug } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { useConnectParam, useShowConnect } from './connect-param.ts'

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
