import { useMatches } from '@tanstack/react-router'
import { EyeOff, FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import { useShowPreview } from '../features/people/feature-previews/preview-param.ts'
import { usePreviews } from '../session/telemetry/previews.ts'
import { useDisabledFeatures } from '../session/identity/profile.ts'
import { Button } from '../ui/controls/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

/**
 * The page, unless the operator hides it or it belongs to a preview that is switched off: no link leads to it then, and its
 * address says why.
 */
export function FeatureGate({ children }: { children: ReactNode }) {
  const isOff = useDisabledFeatures()
  const tries = usePreviews()
  const show = useShowPreview()
  const matches = useMatches()
  if (matches.some(({ staticData: { feature } }) => feature && isOff(feature)))
    return (
      <main className="main not-found">
        <EmptyState icon={EyeOff} title="This page is turned off">
          The operator of this installation has turned it off.
        </EmptyState>
      </main>
    )
  const preview = matches.flatMap(({ staticData }) => staticData.preview ?? [])[0]
  if (preview === undefined || tries(preview)) return children
  return (
    <main className="main not-found">
      <EmptyState
        icon={FlaskConical}
        title="This page is a feature preview"
        action={<Button onClick={() => show.open(preview)}>Feature previews</Button>}
      >
        Turn the preview on to use the page.
      </EmptyState>
    </main>
  )
}
