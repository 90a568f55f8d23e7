import { createFileRoute } from '@tanstack/react-router'
import { PricingPage } from '../features/billing/billing/PricingPage.tsx'
import { useTitle } from '../shell/use-page.ts'

export const Route = createFileRoute('/pricing')({
  staticData: { title: 'Plans and prices' },
  component: Page,
})

function Page() {
  useTitle()
  return <PricingPage />
}
