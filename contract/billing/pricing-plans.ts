import type { PlanId, Tier } from './plans.ts'

/** A card of the pricing page (requirements §3, facts §1.2). */
export type PricingPlan = {
  id: Tier
  planId: PlanId
  name: string
  nameBadge: string | undefined
  costUnit: string | undefined
  /** Where the call to action leads: a new project with the plan, or the contact form (requirements §2). */
  href: string
  priceLabel: string | undefined
  /** US dollars, or a word. */
  priceMonthly: number | 'Custom'
  description: string
  preface: string | undefined
  /** A feature, or a feature and its second line. */
  features: readonly (string | readonly [string, string])[]
  warning: string | undefined
  footer: string | undefined
  cta: string
}

const computeCredits = '$10 in compute credits included'

export const pricingPlans: readonly PricingPlan[] = [
  {
    id: 'tier_free',
    planId: 'free',
    name: 'Free',
    nameBadge: undefined,
    costUnit: '/ month',
    href: '/new?plan=free',
    priceLabel: undefined,
    priceMonthly: 0,
    description: 'For first steps, experiments and small projects that may be paused.',
    preface: 'Get started with:',
    features: [
      'Unlimited API requests',
      '50,000 monthly active users',
      ['500 MB database size', 'Shared CPU • 500 MB RAM'],
      '5 GB egress',
      '5 GB cached egress',
      '1 GB file storage',
      'Community support',
    ],
    warning: undefined,
    footer: 'Free projects are paused after 1 week of inactivity. Limit of 2 active projects.',
    cta: 'Start for Free',
  },
  {
    id: 'tier_pro',
    planId: 'pro',
    name: 'Pro',
    nameBadge: 'Most Popular',
    costUnit: '/ month',
    href: '/new?plan=pro',
    priceLabel: 'From',
    priceMonthly: 25,
    description: 'For products that people rely on, with room to grow.',
    preface: 'Everything in the Free Plan, plus:',
    features: [
      ['100,000 MAU', 'then $0.00325 per MAU'],
      ['8 GB disk size per project', 'then $0.125 per GB'],
      ['250 GB egress', 'then $0.09 per GB'],
      ['250 GB cached egress', 'then $0.03 per GB'],
      ['100 GB file storage', 'then $0.021 per GB'],
      'Email support',
      'Daily backups stored for 7 days',
      '7-day log retention',
    ],
    warning: computeCredits,
    footer: undefined,
    cta: 'Get Started',
  },
  {
    id: 'tier_team',
    planId: 'team',
    name: 'Team',
    nameBadge: undefined,
    costUnit: '/ month',
    href: '/new?plan=team',
    priceLabel: 'From',
    priceMonthly: 599,
    description: 'For companies that answer for access, audits and compliance.',
    preface: 'Everything in the Pro Plan, plus:',
    features: [
      'Project-scoped and read-only access',
      'SSO for Dashboard',
      'Audit log of the organization',
      'Priority email support',
      'Daily backups stored for 14 days',
      '28-day log retention',
    ],
    warning: computeCredits,
    footer: undefined,
    cta: 'Get Started',
  },
  {
    id: 'tier_enterprise',
    planId: 'enterprise',
    name: 'Enterprise',
    nameBadge: undefined,
    costUnit: undefined,
    href: '/support/new?category=sales&subject=Enterprise',
    priceLabel: undefined,
    priceMonthly: 'Custom',
    description: 'For organizations with their own terms and scale.',
    preface: undefined,
    features: [
      'Everything in the Team Plan',
      'Limits and prices by agreement',
      'Backups for as long as you need',
    ],
    warning: undefined,
    footer: undefined,
    cta: 'Contact Us',
  },
]
