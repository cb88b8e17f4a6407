export { TICKET_TABLES, ticketRow } from './ticket-row.ts';
