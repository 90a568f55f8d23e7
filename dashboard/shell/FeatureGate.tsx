import { useMatches } from '@tanstack/react-router'
import { EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDisabledFeatures } from '../session/profile.ts'
import { EmptyState } from '../ui/EmptyState.tsx'

/** The page, unless the operator hides it: no link leads to it then, and its address says why. */
export function FeatureGate({ children }: { children: ReactNode }) {
  const isOff = useDisabledFeatures()
  const hidden = useMatches().some(({ staticData: { feature } }) => feature && isOff(feature))
  if (!hidden) return children
  return (
    <main className="main not-found">
      <EmptyState icon={EyeOff} title="This page is turned off">
        The operator of this installation has turned it off.
      </EmptyState>
    </main>
  )
}
