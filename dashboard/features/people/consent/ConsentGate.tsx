import { lazy, Suspense } from 'react'
import { closePrivacySettings, useConsent } from '../../../session/telemetry/consent.ts'

const ConsentToast = lazy(() =>
  import('./ConsentToast.tsx').then((m) => ({ default: m.ConsentToast })),
)
const PrivacyDialog = lazy(() =>
  import('./PrivacyDialog.tsx').then((m) => ({ default: m.PrivacyDialog })),
)

/** The question about data and its settings, on every page. Costs nothing once it is answered. */
export function ConsentGate() {
  const { asking, settingsOpen } = useConsent()
  return (
    <Suspense>
      {asking && !settingsOpen && <ConsentToast />}
      {settingsOpen && <PrivacyDialog onClose={closePrivacySettings} />}
    </Suspense>
  )
}
