import type { ReactNode } from 'react'
import { reportCrash } from '../session/telemetry/error-report.ts'
import { PaneBoundary } from '../ui/PaneBoundary.tsx'

/** A part of the frame: when it fails, the page and the other parts go on. */
export const Part = ({ of, children }: { of: string; children: ReactNode }) => (
  <PaneBoundary what={of} onError={reportCrash}>
    {children}
  </PaneBoundary>
)
