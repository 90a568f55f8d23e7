import { lazy, Suspense } from 'react'
import { useConnectParam } from './connect-param.ts'

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
