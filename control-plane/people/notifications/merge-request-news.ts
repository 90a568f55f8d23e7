import type { Change } from '../../organizations/audit/chain.ts'
import type { Notice } from './notice.ts'

type News = { to: { userIds: string[] }; notice: Omit<Notice, 'organizationId'> }

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** Reviewers are told of a request, and who asked is told of each review. */
export function mergeRequestNews(
  { action }: Change,
  after: Record<string, unknown>,
  projectRef: string,
): News {
  const { title, branch, branch_id: id, verdict, author } = after
  const base = {
    name: action,
    priority: 'Info' as const,
    projectRef,
    actions: [
      {
        label: 'Open the branch',
        url: `/project/${projectRef}/branches/${String(id)}` as const,
      },
    ],
  }
  if (action === 'mergeRequests.create')
    return {
      to: { userIds: texts(after['reviewers']) },
      notice: {
        ...base,
        title: `You are asked to review ${String(branch)}`,
        message: `${String(title)}. It is to be merged into main.`,
      },
    }
  const of = typeof author === 'object' && author !== null && 'id' in author ? [author.id] : []
  return {
    to: { userIds: texts(of) },
    notice: {
      ...base,
      title: `${String(branch)} was ${verdict === 'approved' ? 'approved' : 'sent back'}`,
      message:
        verdict === 'approved'
          ? 'A reviewer has approved what the branch has.'
          : 'A reviewer has requested changes.',
    },
  }
}
