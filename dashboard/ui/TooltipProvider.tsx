import * as Radix from 'radix-ui/tooltip'
import type { ReactNode } from 'react'

/** Shared clock of all tooltips: 700 ms for the first, 300 ms in which the next opens at once (requirements §9). */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  )
}
