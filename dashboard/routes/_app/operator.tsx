import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { LockKeyhole } from 'lucide-react'
import { profileQuery } from '../../session/identity/profile.ts'
import { operatorPages } from '../../shell/places.ts'
import { SettingsLayout } from '../../shell/SettingsLayout.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

export const Route = createFileRoute('/_app/operator')({ component: Page })

function Page() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  if (profile.is_operator) return <SettingsLayout title="Installation" groups={operatorPages} />
  return (
    <main className="main not-found" id="main">
      <EmptyState icon={LockKeyhole} title="This page is for operators">
        Whoever runs this installation can make you one: npx plinth operators add
      </EmptyState>
    </main>
  )
}
