import { createFileRoute } from '@tanstack/react-router'
import { supportCategoryOf } from '#contract/people/support'
import { SupportPage, type SupportSearch } from '../../../features/people/support/SupportPage.tsx'

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

export const Route = createFileRoute('/_app/support/new')({
  staticData: { title: 'Ask for help' },
  validateSearch: (search: Record<string, unknown>): SupportSearch => ({
    category: supportCategoryOf(text(search['category']) ?? ''),
    sid: text(search['sid'])?.slice(0, 100),
    subject: text(search['subject']),
    message: text(search['message']),
    organization: text(search['organization']),
    project: text(search['project']),
  }),
  component: Page,
})

function Page() {
  return <SupportPage search={Route.useSearch()} />
}
