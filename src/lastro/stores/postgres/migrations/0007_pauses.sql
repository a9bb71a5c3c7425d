-- Until when a service must not be asked by a company, because it complained of excessive use (656).

CREATE TABLE service_pause (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address     text NOT NULL CHECK (address LIKE 'https://%'),
    company     text COLLATE "C" NOT NULL,
    until       timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX service_pause_of ON service_pause (address, company);
COMMENT ON COLUMN service_pause.company IS 'The root of the CNPJ in the certificate shown; empty when it bears none.';

SELECT only_add('service_pause');
