import { createFileRoute, useRouter } from '@tanstack/react-router'
import { NewOrganizationPage } from '../../features/organizations/NewOrganizationPage.tsx'
import { landing } from '../../session/return-to.ts'

/** The plan a link asks for, as price lists do. */
const tiers = { free: 'tier_free', pro: 'tier_pro', team: 'tier_team' } as const
type Plan = keyof typeof tiers
const isPlan = (plan: unknown): plan is Plan =>
  typeof plan === 'string' && Object.hasOwn(tiers, plan)

export const Route = createFileRoute('/_app/new/')({
  staticData: { title: 'New organization' },
  validateSearch: ({ plan }: Record<string, unknown>): { plan?: Plan } =>
    isPlan(plan) ? { plan } : {},
  component: Page,
})

function Page() {
  const { plan } = Route.useSearch()
  const router = useRouter()
  return (
    <NewOrganizationPage
      startTier={plan && tiers[plan]}
      onCancel={() => void router.navigate({ to: landing })}
    />
  )
}
