import type { CustomContent } from './custom-content.ts'

/** What stands where an operator has said nothing: the defaults of the schema, for browsers, which do not carry it. */
export const ourContent: CustomContent = {
  app_title: 'Plinth',
  testimonials: [],
  terms_url: null,
  privacy_url: null,
  row_level_security_guide: null,
  example_projects: [],
  client_libraries: null,
  cloud_providers: ['AWS'],
  aws_nimbus_label: 'AWS Nimbus',
  ssl_certificate_url: null,
  logs_default_query: null,
}
