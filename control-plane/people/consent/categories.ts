import { serviceIds, type ConsentCategory } from '#contract/people/consent'

/** Every use of a person's data there is, and what holds while they have not answered: only what nothing works without. */
const categories: ConsentCategory[] = [
  {
    slug: 'essential',
    label: 'Essential',
    description: 'Sign-in, security and the choices you make here. Always on.',
    isEssential: true,
    services: [
      { id: serviceIds.session, label: 'Sign-in and security', consent: { status: true } },
      { id: serviceIds.preferences, label: 'Your choices', consent: { status: true } },
    ],
  },
  {
    slug: 'product-use',
    label: 'Product use',
    description: 'Which pages you visit and which buttons you use. Never what you type or store.',
    isEssential: false,
    services: [
      { id: serviceIds.productUse, label: 'Page and event counts', consent: { status: false } },
    ],
  },
  {
    slug: 'error-reports',
    label: 'Error reports',
    description: 'Stack traces when a page fails, so that it can be fixed.',
    isEssential: false,
    services: [{ id: serviceIds.errorReports, label: 'Stack traces', consent: { status: false } }],
  },
]

/** The categories with what somebody granted; what is essential is on whatever they said. */
export const categoriesWith = (granted: readonly string[]): ConsentCategory[] =>
  categories.map((category) => ({
    ...category,
    services: category.services.map((service) => ({
      ...service,
      consent: { status: category.isEssential || granted.includes(service.id) },
    })),
  }))
