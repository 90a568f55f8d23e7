import { Compass } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from './EmptyState.tsx'

/** There is nothing at this address. `action` leads back. */
export function NotFound({ action }: { action: ReactNode }) {
  return (
    <main className="main not-found">
      <EmptyState icon={Compass} title="There is nothing at this address" action={action}>
        The link may be old, or what it led to was removed.
      </EmptyState>
    </main>
  )
}
