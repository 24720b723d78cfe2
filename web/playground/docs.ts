import '@fastify/swagger-ui/static/swagger-ui.css';
import '@fastify/swagger-ui/static/index.css';

import SwaggerUI from '@fastify/swagger-ui/static/swagger-ui-bundle.js';

SwaggerUI({ dom_id: '#swagger-ui', url: 'openapi.json', deepLinking: true, validatorUrl: null });
