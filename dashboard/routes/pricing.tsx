import { createFileRoute } from '@tanstack/react-router'
import { PricingPage } from '../features/billing/PricingPage.tsx'

export const Route = createFileRoute('/pricing')({
  staticData: { title: 'Plans and prices' },
  component: PricingPage,
})
