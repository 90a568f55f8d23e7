import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inOrganization } from '../permissions.ts'
import { hasFeature, type PlanGate } from '../billing/plan-comparison.ts'
import type { PlanId } from '../billing/plans.ts'
import { Instant, Slug } from '../values.ts'

export const documentIds = [
  'data-processing-addendum',
  'transfer-impact-assessment',
  'soc2-type-2-report',
  'standard-security-questionnaire',
  'hipaa-business-associate-agreement',
] as const
export type DocumentId = (typeof documentIds)[number]

/** Without a gate it is for every plan. */
type LegalDocument = { name: string; about: string; gate?: PlanGate }

/**
 * The documents that an organization can ask for. Whoever runs the platform supplies each as `<id>.pdf`; which plans get
 * it is requirements §6 ("Team and above: SOC2, security questionnaire help") and the comparison table's HIPAA line.
 */
export const legalDocuments: Record<DocumentId, LegalDocument> = {
  'data-processing-addendum': {
    name: 'Data processing addendum (DPA)',
    about: 'How personal data is processed on your behalf, to be signed by both sides.',
  },
  'transfer-impact-assessment': {
    name: 'Transfer impact assessment (TIA)',
    about: 'What it means that data may be processed in another country.',
  },
  'soc2-type-2-report': {
    name: 'SOC 2 Type 2 report',
    about: 'What an independent auditor found about the security controls. Confidential.',
    gate: 'security.soc2',
  },
  'standard-security-questionnaire': {
    name: 'Standard security questionnaire',
    about: 'Answers to the questions that security reviews usually ask.',
    gate: 'support.securityQuestionnaireHelp',
  },
  'hipaa-business-associate-agreement': {
    name: 'HIPAA business associate agreement',
    about: 'Needed before health information of people in the United States is stored.',
    gate: 'security.hipaa',
  },
}

export const includesDocument = (plan: PlanId, id: DocumentId): boolean => {
  const { gate } = legalDocuments[id]
  return gate === undefined || hasFeature(plan, gate)
}

const BySlug = z.object({ slug: Slug })
const needs = inOrganization('read:Read', 'documents')

export const documents = {
  list: endpoint('documents.list', 'GET /platform/organizations/:slug/documents', {
    needs,
    input: BySlug,
    returns: z.array(
      z.object({
        id: z.enum(documentIds),
        name: z.string(),
        about: z.string(),
        /** The plan of the organization includes it. */
        included: z.boolean(),
        /** Null: whoever runs the platform has not supplied it. */
        file: z.object({ size: z.number(), updated_at: Instant }).nullable(),
      }),
    ),
  }),
  download: endpoint('documents.download', 'GET /platform/organizations/:slug/documents/:id', {
    needs,
    raw: true,
    perMinute: 30,
    input: BySlug.extend({ id: z.enum(documentIds) }),
    /** The bytes of a PDF. */
    returns: z.unknown(),
  }),
}
