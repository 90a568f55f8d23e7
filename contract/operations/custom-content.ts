import { z } from 'zod'
import { cloudProviders } from '../projects/cloud-providers.ts'
import { displayName } from '../values.ts'

const words = (max: number) => displayName(1, max)

/** Only what a browser may follow: a page of this dashboard, or an address of the web. */
const Link = z
  .string()
  .max(2000)
  .refine(
    (text) =>
      /^\/(?![/\\])\S*$/.test(text) || (/^https?:\/\/\S+$/.test(text) && URL.canParse(text)),
    'must start with http:// or https://, or be a path that starts with /',
  )
const Address = z
  .string()
  .max(2000)
  .refine(
    (text) => /^https?:\/\/\S+$/.test(text) && URL.canParse(text),
    'must start with http:// or https://',
  )

/** What somebody says of the product, beside the sign-in form (requirements §3). */
export const Testimonial = z.strictObject({
  text: words(600),
  url: Address,
  handle: words(60),
  img_url: Address,
})
export type Testimonial = z.infer<typeof Testimonial>

/** A client library, as the home of a project lists it (requirements §3). */
export const ClientLibrary = z.strictObject({
  language: words(40),
  /** By the makers of the protocol; the others by the people who use them. */
  officialSupport: z.boolean(),
  releaseState: z.enum(['Alpha']).optional(),
  docsUrl: Link,
  gitUrl: Link,
  /** The name of its icon, where that is not the language in lower case. */
  altIconName: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be a name in lower case')
    .optional(),
})
export type ClientLibrary = z.infer<typeof ClientLibrary>

const ExampleProject = z.strictObject({
  title: words(60),
  description: words(200),
  url: Link,
})

/** What an operator puts in the place of our own words and links; a file in JSON holds it (docs/operating.md). */
export const CustomContent = z.strictObject({
  app_title: words(40).default('Plinth'),
  testimonials: z.array(Testimonial).max(20).default([]),
  terms_url: Link.nullable().default(null),
  privacy_url: Link.nullable().default(null),
  row_level_security_guide: Link.nullable().default(null),
  example_projects: z.array(ExampleProject).max(20).default([]),
  /** Null: those that we list. */
  client_libraries: z.array(ClientLibrary).max(50).nullable().default(null),
  cloud_providers: z
    .array(z.enum(cloudProviders))
    .min(1)
    .refine((all) => new Set(all).size === all.length, 'must name each provider once')
    .default(['AWS']),
  aws_nimbus_label: words(40).default('AWS Nimbus'),
  /** Where the certificate lies that connections to databases are checked with; `{env}` stands for the environment. */
  ssl_certificate_url: Address.nullable().default(null),
  /** What a new query of the logs explorer begins with, in the older dialect. Null: what we have. */
  logs_default_query: z.string().trim().min(1).max(20_000).nullable().default(null),
})
export type CustomContent = z.infer<typeof CustomContent>
